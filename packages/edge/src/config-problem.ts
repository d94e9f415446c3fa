/** Something in the settings that somebody has to put right; the message is one sentence that says what. */
export class ConfigProblem extends Error {
  override name = 'ConfigProblem'
}
