/**
 * Copies the text of a node, and says so on a button. If the browser does not permit copying, the text is selected, so that the user can
 * copy it.
 *
 * @param {HTMLElement} node
 * @param {HTMLButtonElement} button
 * @param {{copied: string}} texts
 */
export async function copyText(node, button, { copied }) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    button.textContent = copied;
  } catch {
    getSelection().selectAllChildren(node);
  }
}
