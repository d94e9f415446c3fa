import { dirname, join, relative, sep } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

export const root = join(import.meta.dirname, '../..')

export interface Bundle {
  /** Names of the entries, which become `<name>.<ending>`, and their files, from the root of the checkout. */
  readonly entries: Readonly<Record<string, string>>
  readonly folder: string
  /** The folder where the files are going to run, if that is another: paths to assets are counted from there. */
  readonly runs_in?: string
  readonly target?: string
  readonly one_file?: boolean
  /** Of the entries. */
  readonly ending?: string
}

/** Compiles the entries and everything that they import. Returns the folders of the npm packages that are inside. */
export async function bundle({ entries, folder, runs_in = folder, ...options }: Bundle): Promise<string[]> {
  await using build = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
    cwd: root,
    platform: options.target ? 'neutral' : 'node',
    plugins: [keepPlaces(runs_in)],
    transform: { target: options.target ?? 'esnext' },
    logLevel: 'warn',
    onLog: refuseWarnings,
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: `[name].${options.ending ?? 'mjs'}`,
    chunkFileNames: '[name]-[hash].mjs',
    ...(options.one_file && { codeSplitting: false }),
    comments: { legal: false },
    cleanDir: true,
  })
  return listPackages(output.filter(file => file.type === 'chunk'))
}

/**
 * Sources find their files by `import.meta`. In a bundle that is the place of the bundle, so paths are put
 * back in relation to it. Nothing in the output depends on where the checkout is.
 */
function keepPlaces(runs_in: string): Plugin {
  return {
    name: 'keep-places',
    transform: {
      filter: { id: /\/packages\/\w+\/src\//, code: /import\.meta\.(dirname|url)/ },
      handler(code, id) {
        const path = relative(runs_in, id).split(sep).join('/')
        return code
          .replace(
            /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/,
            "new URL('./$1.mjs', import.meta.__URL)",
          )
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(path)}`)})`)
          .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
          .replace('import.meta.__URL', 'import.meta.url')
      },
    },
  }
}

/**
 * A warning is an import that was not found, or code that would behave differently. Only `eval` is known: a
 * dependency writes its wrappers with it, which see no names but their own.
 */
function refuseWarnings(level: string, { code, message }: { code?: string; message: string }): void {
  if (level === 'warn' && code !== 'EVAL') throw new Error(`${code}: ${message}`)
}

/** Every module of a chunk that is below node_modules belongs to a package, which is named by its folder. */
function listPackages(chunks: readonly OutputChunk[]): string[] {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  const found = modules.map(id => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(root, id))?.[0])
  return [...new Set(found.filter(name => name !== undefined))].sort()
}
