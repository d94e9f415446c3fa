#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Imported after the compile cache is enabled, which halves the startup time.
enableCompileCache()
const { runCommand } = await import('./run-command.ts')
const { withSettingsFile } = await import('./settings-file.ts')

// A reader that closes early, such as head, is not a failure.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
})

process.exitCode = await runCommand(process.argv.slice(2), withSettingsFile(process.env))
