import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '../../..')

/**
 * Writes down which npm packages are in the pages, for the licence list of a release. Packages from which the
 * build copies without importing them are given.
 */
export function namePackages(...copied: readonly string[]): Plugin {
  let folder = ''
  return {
    name: 'name-packages',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = build.outDir
    },
    writeBundle(_, files) {
      const modules = Object.values(files).flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
      const folders = modules.map(id => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(root, id))?.[0])
      const given = copied.map(name => `node_modules/${name}`)
      const sorted = [...new Set([...folders, ...given].filter(name => name !== undefined))].sort()
      writeFileSync(join(folder, '.packages'), JSON.stringify(sorted))
    },
  }
}
