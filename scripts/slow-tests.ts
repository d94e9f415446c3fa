/**
 * Slow test files. `npm test` starts with them, so that no worker is left with a slow file at the end;
 * `test:quick` skips them.
 */
export const slowTests =
  /\btest\/(browser|faults|delivery|stream|limits|neighbours)\/|\/(bad-input|simulation|embedded|keys-rotate)\.test/
