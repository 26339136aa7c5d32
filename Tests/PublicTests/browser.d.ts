// What browsers have and the libraries of TypeScript 4.8 have not.
interface Element {
  moveBefore?(node: Element, child: Element | null): void;
}
