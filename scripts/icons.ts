import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import about from '@tabler/icons-react/package.json' with { type: 'json' }

/**
 * `npm run icons` copies the drawings that the console imports out of the icon package. Its 18,000 files would
 * otherwise be a quarter of what a first `npm start` installs.
 */
const sources = join(import.meta.dirname, '../packages/web/console/src')
const target = join(sources, 'icons/icons.ts')

/** Returns the text of the generated module. */
export async function renderIcons(): Promise<string> {
  const lines = await Promise.all(findNames().map(async name => `export const ${name} = ${await draw(name)}`))
  return `// Written by \`npm run icons\` from @tabler/icons-react ${about.version}, MIT license, copyright (c) 2020-2026 Paweł Kuna.
import { icon } from './icon.tsx'

${lines.join('\n')}
`
}

/** Returns the names that are imported from the generated module, sorted. */
function findNames(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.tsx?$/.test(name),
  )
  const texts = files.map(name => readFileSync(join(sources, name), 'utf8'))
  const imports = texts.flatMap(text => [
    ...text.matchAll(/import \{([^}]*)\} from '[./]*\/icons\/icons\.ts'/g),
  ])
  return [...new Set(imports.flatMap(([, names = '']) => names.match(/\w+/g) ?? []))].sort()
}

async function draw(name: string): Promise<string> {
  const { __iconNode: nodes }: { __iconNode: [tag: string, { d?: string }][] } = await import(
    `@tabler/icons-react/dist/esm/icons/${name}.mjs`
  )
  const lines = nodes.map(([tag, { d }]) => {
    if (tag !== 'path' || d === undefined)
      throw new Error(`${name} has a ${tag}, which the console cannot draw`)
    return `'${d}'`
  })
  return `icon(${lines.join(', ')})`
}

if (import.meta.main) writeFileSync(target, await renderIcons())
