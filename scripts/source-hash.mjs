// Hashes sources, because checkouts and merges make file times meaningless. Plain JavaScript, because set-up needs
// it before the right Node is installed.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Milliseconds within which a file system may give two changes the same time. */
const blur = 2000

/**
 * Returns the hash of files and of all files in folders, given by their paths below `root`. It is remembered with
 * the sizes and times of the files: looking at those takes a tenth of the time of reading.
 */
export function hashSources(root, sources) {
  const files = sources.flatMap(source => listFiles(root, source))
  const { look, newest } = lookAt(root, files)
  const memory = join(root, 'node_modules/.cache/hashes', hashOf([sources.join(' ')]).slice(0, 16))
  const [known_look, known] = existsSync(memory) ? readFileSync(memory, 'utf8').split(' ') : []
  if (known_look === look) return known
  const hash = hashOf(files.flatMap(path => [path, '\0', readFileSync(join(root, path)), '\0']))
  if (newest < Date.now() - blur) remember(memory, `${look} ${hash}`)
  return hash
}

/** The time of the last change of a file's content, name or mode cannot be set, unlike that of its content. */
function lookAt(root, files) {
  const seen = files.map(path => statSync(join(root, path)))
  const lines = seen.map(({ size, ctimeMs }, index) => `${files[index]} ${size} ${ctimeMs}\n`)
  return { look: hashOf(lines), newest: seen.reduce((newest, { ctimeMs }) => Math.max(newest, ctimeMs), 0) }
}

function hashOf(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

function remember(memory, text) {
  const draft = `${memory}.${process.pid}`
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(draft, text)
  renameSync(draft, memory)
}

function listFiles(root, source) {
  const path = join(root, source)
  if (!existsSync(path)) return []
  if (/\.\w+$/.test(source)) return [source]
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return files.map(file => file.slice(root.length + 1)).sort()
}
