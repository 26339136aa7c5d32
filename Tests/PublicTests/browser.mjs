// What browsers have had for long and Debian 12's Node has not: import it before what needs it.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
