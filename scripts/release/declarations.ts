import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { root } from './bundle.ts'

/** One declaration of a module, and where the names come from that it may mention. */
interface Statement {
  readonly text: string
  readonly name: string
}
interface Module {
  readonly statements: readonly Statement[]
  /** Names from other modules that are used here. */
  readonly imports: ReadonlyMap<string, Origin>
  /** What is exported under another module's name, and modules that are exported whole. */
  readonly passed_on: ReadonlyMap<string, Origin>
  readonly wholes: readonly string[]
}
interface Origin {
  readonly path: string
  readonly name: string
}

/**
 * Returns the types of a package as one text that imports nothing. The compiler writes one file for each
 * module. Here each module becomes a namespace of the same declarations, reduced to what is reachable from the
 * package's exports: no name is changed, so no two can collide.
 */
export function declare(entry: string): string {
  const modules = readModules(compile(entry))
  const start = `${entry.replace(/^packages\//, '').replace(/\.ts$/, '')}`
  const exported = exportsOf(modules, start)
  const kept = reach(modules, [...exported.values()])
  const spaces = [...kept].sort().map(([path, names]) => writeNamespace(modules, path, names))
  const aliases = [...exported].sort().map(([name, origin]) => `export import ${name} = ${spell(origin)};`)
  return spellForAll(`${spaces.join('\n')}\n${aliases.join('\n')}\n`)
}

/** Before TypeScript 5.7, arrays of bytes had no type parameter. */
function spellForAll(text: string): string {
  return text.replaceAll(/\bUint8Array<ArrayBuffer(Like)?>/g, 'Uint8Array')
}

/** Returns the declaration files by path, without their ending. */
function compile(entry: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-types-'))
  try {
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        lib: ['ESNext', 'ESNext.Temporal', 'DOM', 'DOM.Iterable'],
        types: [],
        // The repository's own checks have read them already.
        noCheck: true,
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(root, 'packages'),
        outDir: join(folder, 'out'),
        paths: { '@gatehouse-access/*': [join(root, 'packages/*/src/index.ts')] },
      },
      files: [join(root, entry)],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { stdio: 'inherit' })
    const names = readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' })
    const files = names.filter(name => name.endsWith('.d.ts'))
    return new Map(files.map(name => [name.slice(0, -5), readFileSync(join(folder, 'out', name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readModules(files: ReadonlyMap<string, string>): Map<string, Module> {
  return new Map([...files].map(([path, text]) => [path, readModule(path, text)]))
}

function readModule(path: string, text: string): Module {
  const imports = new Map<string, Origin>()
  const passed_on = new Map<string, Origin>()
  const wholes: string[] = []
  const statements: Statement[] = []
  for (const part of text.split(
    /^(?=(?:\/\*\*|\/\/|import |export |declare |interface |type |abstract ))/m,
  )) {
    const list = /^(import|export) (?:type )?\{([^}]*)\}(?: from '([^']+)')?/.exec(part)
    const whole = /^export \* from '([^']+)'/.exec(part)
    const named = /\b(?:const|let|type|interface|function|class|enum) ([\w$]+)/.exec(part)
    if (whole?.[1]) wholes.push(resolveModule(path, whole[1]))
    else if (list) {
      const from = list[3] === undefined ? path : resolveModule(path, list[3])
      for (const [name, origin] of readNames(list[2] ?? '', from))
        (list[1] === 'import' ? imports : passed_on).set(name, origin)
    } else if (/^\/(\*\*|\/)/.test(part)) statements.push({ text: part, name: '' })
    else if (named?.[1]) statements.push({ text: part, name: named[1] })
    else if (part.trim() !== '') throw new Error(`${path}.d.ts has a statement that cannot be read: ${part}`)
  }
  return { statements: joinComments(statements), imports, passed_on, wholes }
}

/** `type A, B as C` → A from A, C from B. */
function readNames(list: string, path: string): [string, Origin][] {
  const words = list.split(',').map(word => word.trim().replace(/^type /, ''))
  return words.filter(Boolean).map(word => {
    const [name = '', alias = name] = word.split(' as ')
    return [alias, { path, name }]
  })
}

function joinComments(statements: readonly Statement[]): Statement[] {
  return statements.flatMap((statement, index) => {
    if (statement.name === '') return []
    const before = statements[index - 1]
    return [before?.name === '' ? { ...statement, text: before.text + statement.text } : statement]
  })
}

function resolveModule(from: string, wanted: string): string {
  const own = /^@gatehouse-access\/(\w+)$/.exec(wanted)
  if (own) return `${own[1]}/src/index`
  if (!wanted.startsWith('.'))
    throw new Error(`${from}.d.ts imports ${wanted}, which a package without dependencies cannot`)
  return posix.join(dirname(from), wanted).replace(/\.ts$/, '')
}

/** Returns where each exported name is declared. */
function exportsOf(modules: ReadonlyMap<string, Module>, path: string): Map<string, Origin> {
  const module = modules.get(path)
  if (!module) throw new Error(`there are no declarations of ${path}`)
  const own = module.statements
    .filter(({ text }) => /^export /m.test(text))
    .map(({ name }) => [name, { path, name }] as const)
  const wholes = module.wholes.flatMap(other => [...exportsOf(modules, other)])
  const passed_on = [...module.passed_on].map(([name, origin]) => [name, find(modules, origin)] as const)
  return new Map([...wholes, ...own, ...passed_on])
}

function find(modules: ReadonlyMap<string, Module>, { path, name }: Origin): Origin {
  const origin = exportsOf(modules, path).get(name)
  if (!origin) throw new Error(`${path} does not export ${name}`)
  return origin
}

/** Returns the names to keep of each module: those wanted, and all that these mention. */
function reach(modules: ReadonlyMap<string, Module>, wanted: readonly Origin[]): Map<string, Set<string>> {
  const kept = new Map<string, Set<string>>()
  const waiting = [...wanted]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const names = kept.get(next.path) ?? new Set()
    kept.set(next.path, names)
    if (names.has(next.name)) continue
    names.add(next.name)
    waiting.push(...mentions(modules, next))
  }
  return kept
}

function mentions(modules: ReadonlyMap<string, Module>, { path, name }: Origin): Origin[] {
  const { statements, imports } = modules.get(path) as Module
  const text = statements
    .filter(statement => statement.name === name)
    .map(statement => statement.text)
    .join()
  const words = new Set(text.match(/[\w$]+/g))
  const local = statements
    .filter(statement => words.has(statement.name))
    .map(statement => ({ path, name: statement.name }))
  const foreign = [...imports]
    .filter(([alias]) => words.has(alias))
    .map(([, origin]) => find(modules, origin))
  const inline = [...text.matchAll(inlineImport)].map(([, from = '', inner = '']) =>
    find(modules, { path: resolveModule(path, from), name: inner }),
  )
  return [...local, ...foreign, ...inline]
}

const inlineImport = /import\("([^"]+)"\)\.([\w$]+)/g

function writeNamespace(
  modules: ReadonlyMap<string, Module>,
  path: string,
  names: ReadonlySet<string>,
): string {
  const { statements, imports } = modules.get(path) as Module
  const texts = statements.filter(({ name }) => names.has(name)).map(({ text }) => text)
  const body = texts
    .join('')
    .replaceAll(/^(export )?declare /gm, '$1')
    .replaceAll(inlineImport, (_, from, name) =>
      spell(find(modules, { path: resolveModule(path, from), name })),
    )
  const words = new Set(body.match(/[\w$]+/g))
  const used = [...imports].filter(([alias]) => words.has(alias))
  const aliases = used.map(([alias, origin]) => `import ${alias} = ${spell(find(modules, origin))};\n`)
  return `declare namespace ${spaceOf(path)} {\n${aliases.join('')}${body}}`
}

function spell({ path, name }: Origin): string {
  return `${spaceOf(path)}.${name}`
}

/** `api/src/kit/field` → `api_kit_field`. */
function spaceOf(path: string): string {
  return path.replace('/src/', '/').replaceAll(/\W/g, '_')
}
