/** A configuration error that the operator has to fix. The message is one sentence that says what to fix. */
export class ConfigProblem extends Error {
  override name = 'ConfigProblem'
}
