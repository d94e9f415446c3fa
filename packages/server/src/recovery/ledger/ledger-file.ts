import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { codeOf } from '../../flow/failures.ts'
import { type KeptBlock, readBlock } from './block.ts'

export function ledgerPath(folder: string): string {
  return join(folder, 'ledger.txt')
}

export function hasLedger(folder: string): boolean {
  return existsSync(ledgerPath(folder))
}

/** Each document is two lines: its content and its signature. */
const complete = /[^\n]+\n[^\n]+\n/g

/**
 * Returns all blocks of a ledger, or undefined if there is no file. An unfinished block at the end is what a
 * crash leaves; anything else that is not ours, and a block that is missing in between, is an error.
 */
export async function readLedger(
  folder: string,
  publicKeys: readonly string[],
): Promise<KeptBlock[] | undefined> {
  const path = ledgerPath(folder)
  const text = await readFile(path, 'utf8').catch(error => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const blocks = (text.match(complete) ?? []).map(document => readBlock(document, publicKeys))
  const known = new Set<string>()
  return blocks.map((kept, index) => {
    if (!kept) throw new StartError(damaged(path, index))
    const { previous } = kept.block
    // A restored database goes on from an older block, so any earlier one can be the previous.
    if (index > 0 && (previous === null || !known.has(previous)))
      throw new StartError(`${path} lacks what comes before its block ${index + 1}: blocks were removed.`)
    known.add(kept.hash)
    if (index === 0 && previous !== null) known.add(previous)
    return kept
  })
}

function damaged(path: string, index: number): string {
  return `Block ${index + 1} of ${path} is damaged, or was signed with a service key that was not given: restore the file, or give that key as well (GATEHOUSE_SECRET_KEY takes several, newest first).`
}

/** More than a block can have, so that the end of a file contains its last block. */
const tailBytes = 512 * 1024

interface Tail {
  /** The last complete document. Undefined if the file has none. */
  readonly last: string | undefined
  /** Where it ends. */
  readonly size: number
}

export async function readTail(folder: string): Promise<Tail> {
  const file = await open(ledgerPath(folder), 'r').catch(error => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!file) return { last: undefined, size: 0 }
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return findLast(buffer.subarray(0, bytesRead), start)
  } finally {
    await file.close()
  }
}

/** Content lines start with a brace, signatures never do. */
function findLast(bytes: Buffer, start: number): Tail {
  const text = bytes.toString('latin1')
  const found = /^\{[^\n]+\n[^\n{][^\n]*\n(?![^{])/gm
  let last: RegExpExecArray | undefined
  for (const match of text.matchAll(found)) last = match
  if (!last && start > 0) throw new Error('the end of the ledger is damaged')
  if (!last) return { last: undefined, size: 0 }
  const document = bytes.subarray(last.index, last.index + last[0].length).toString('utf8')
  return { last: document, size: start + last.index + last[0].length }
}

/** Appends documents at the end of the last complete one, and waits for the disk. */
export async function append(folder: string, size: number, documents: readonly string[]): Promise<void> {
  const path = ledgerPath(folder)
  const file = await open(path, 'r+', 0o600).catch(error => {
    if (codeOf(error) === 'ENOENT') return open(path, 'wx+', 0o600)
    throw error
  })
  try {
    await file.truncate(size)
    await file.write(documents.join(''), size)
    await file.sync()
  } finally {
    await file.close()
  }
}
