import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.ts'

/** A package as the lock file pins it. */
export interface Locked {
  readonly version: string
  readonly resolved: string
  readonly integrity: string
  readonly license?: string
  readonly optional?: boolean
}

/** The packages of the lock file by their folder: `node_modules/fastify`. */
export const locked: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages

export const { version, license, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export function pinOf(folder: string): Locked {
  const pin = locked[folder]
  if (!pin?.integrity) throw new Error(`package-lock.json does not pin ${folder}`)
  return pin
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
