import './start/runtime.ts'
import { StartError } from './config/start-error.ts'
import { serve } from './start/serve.ts'

try {
  await serve(process.env)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
