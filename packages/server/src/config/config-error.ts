import { StartError } from './start-error.ts'

/** A variable of the environment has a value the service cannot work with. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}
