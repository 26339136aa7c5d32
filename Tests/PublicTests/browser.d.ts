// Declarations of browser functions that the libraries of TypeScript 4.8 lack.
interface Element {
  moveBefore?(node: Element, child: Element | null): void;
}
