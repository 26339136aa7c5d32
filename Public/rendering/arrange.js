/**
 * Finds what may stay where it is when the rest moves around it: a longest increasing
 * subsequence. A node that is not detached keeps its focus, selection and running animation.
 *
 * @param {number[]} positions where each element was before, in the new order; -1 where it was not
 * @returns {Set<number>} the indexes in `positions` of those that stay
 */
export function staying(positions) {
  const tails = [];
  const previous = new Array(positions.length);
  positions.forEach((position, index) => {
    if (position < 0) return;
    const length = firstNotBelow(tails, position, positions);
    previous[index] = tails[length - 1];
    tails[length] = index;
  });
  const stay = new Set();
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) stay.add(index);
  return stay;
}

function firstNotBelow(tails, position, positions) {
  let low = 0;
  let high = tails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[tails[middle]] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
