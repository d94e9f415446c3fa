/** Test files that take long: `npm test` begins with them, so that no worker is left alone with one; `test:quick` leaves them out. */
export const slowTests =
  /\btest\/(browser|faults|delivery|stream|limits|neighbours)\/|\/(bad-input|simulation|embedded|keys-rotate)\.test/
