import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.ts'
import { nameOf, pinOf } from './lock.ts'

/** Writes the licences of the packages whose code is inside, with their full texts. */
export function writeLicences(folder: string, packages: readonly string[]): void {
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), renderLicences(packages))
}

export function renderLicences(packages: readonly string[]): string {
  const chapters = sortByName(packages).map(renderChapter)
  return `Parts of these packages are inside, unchanged. Their sources are the npm packages of these names and versions.\n\n${chapters.join('\n')}`
}

export function sortByName(packages: readonly string[]): string[] {
  return [...new Set(packages)].sort((one, other) => (nameOf(one) + one < nameOf(other) + other ? -1 : 1))
}

export function licenceOf(folder: string): string {
  const found = pinOf(folder).license
  if (!found) throw new Error(`${folder} has no license in package-lock.json`)
  return found
}

function renderChapter(folder: string): string {
  const line = '-'.repeat(72)
  return `${line}\n${nameOf(folder)} ${pinOf(folder).version}: ${licenceOf(folder)}\n${line}\n\n${readText(folder)}\n`
}

/** Some packages bring no text. Their licence is then what their manifest says. */
function readText(folder: string): string {
  const names = readdirSync(join(root, folder))
    .filter(name => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
  const texts = names.map(name => readFileSync(join(root, folder, name), 'utf8').trim())
  return texts.length > 0
    ? `${texts.join('\n\n')}\n`
    : `The package brings no text of its license, ${licenceOf(folder)}.\n`
}
