import { StartError } from './start-error.ts'

/** An environment variable has a value that the service cannot use. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}
