// Node.js on Debian 12 has no global `crypto`. Import this module before the modules that need `crypto`.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
