import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const library = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'))

/**
 * Leaves the styles of components that the console does not use out of the component library's style sheet, which
 * is a quarter of its size then. What is used follows from the imports of the sources, and of the library's modules.
 */
export function keepUsedStyles(sources: string): Plugin {
  return {
    name: 'gatehouse-keep-used-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /@mantine\/core\/styles\.css$/ },
      handler: code => ({ code: keepRules(code, findClasses(sources)), map: null }),
    },
  }
}

/** Keeps top-level rules that name a used class of the library, or none. */
export function keepRules(style: string, used: ReadonlySet<string>): string {
  return topLevelRules(style)
    .filter(rule => {
      const classes = rule.match(/(?<=\.)m_[0-9a-f]+/g) ?? []
      return classes.length === 0 || classes.some(name => used.has(name))
    })
    .join('')
}

function topLevelRules(style: string): string[] {
  const rules: string[] = []
  let [depth, from] = [0, 0]
  for (const { 0: brace, index } of style.replaceAll(/\/\*[\s\S]*?\*\//g, hide).matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth > 0) continue
    rules.push(style.slice(from, index + 1))
    from = index + 1
  }
  return rules
}

function hide(comment: string): string {
  return ' '.repeat(comment.length)
}

function findClasses(sources: string): Set<string> {
  const modules = findModules(sources)
  const texts = [...modules].filter(path => path.endsWith('.module.mjs')).map(read)
  return new Set(texts.flatMap(text => text.match(/\bm_[0-9a-f]+/g) ?? []))
}

/** Returns the modules of the library that the sources import, and those that these import. */
function findModules(sources: string): Set<string> {
  const index = join(library, 'esm/index.mjs')
  const places = new Map(
    [...read(index).matchAll(/import \{([^}]+)\} from "(\..+)"/g)].flatMap(([, names = '', path = '']) =>
      names.split(',').map(name => [name.trim(), join(dirname(index), path)] as const),
    ),
  )
  const found = new Set([...findImports(sources)].flatMap(name => places.get(name) ?? []))
  for (const path of found)
    for (const [, other = ''] of read(path).matchAll(/from "(\.[^"]+\.mjs)"/g))
      found.add(join(dirname(path), other))
  return found
}

/** Returns the names that the sources, and the library of notices, import from the library. */
function findImports(sources: string): Set<string> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(sources, name))
  const notices = join(library, '../notifications/esm')
  const theirs = existsSync(notices)
    ? readdirSync(notices, { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.mjs'))
        .map(name => join(notices, name))
    : []
  const texts = [...files, ...theirs].map(read)
  return new Set(
    texts.flatMap(text =>
      [...text.matchAll(/import \{([^}]+)\} from ['"]@mantine\/core['"]/g)].flatMap(([, names = '']) =>
        names.split(',').map(name =>
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, ''),
        ),
      ),
    ),
  )
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
