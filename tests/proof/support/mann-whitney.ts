/**
 * Returns the probability that a value of `ones` is greater than a value of `others`; ties count as half. This is the area
 * under the ROC curve, computed from the Mann–Whitney U statistic. At 0.5 the samples cannot be distinguished. Pure.
 */
export function areaUnderCurve(ones: readonly number[], others: readonly number[]): number {
  const values = [
    ...ones.map((value) => ({ value, isOne: true })),
    ...others.map((value) => ({ value, isOne: false })),
  ];
  values.sort((left, right) => left.value - right.value);
  let rankSum = 0;
  for (let start = 0; start < values.length; ) {
    let end = start;
    while (end < values.length && values[end]?.value === values[start]?.value) end += 1;
    const tied = values.slice(start, end).filter(({ isOne }) => isOne).length;
    // Ranks start at 1. Ties get the mean of their ranks.
    rankSum += (tied * (start + 1 + end)) / 2;
    start = end;
  }
  return (rankSum - (ones.length * (ones.length + 1)) / 2) / (ones.length * others.length);
}
