import { createHash } from 'node:crypto'
import { moment } from './archive.ts'
import { licenceOf, sortByName } from './licences.ts'
import { nameOf, pinOf, version } from './lock.ts'

/** Returns what is in a release as CycloneDX: the packages compiled in, and the programs that it brings. */
export function describeContents(packages: readonly string[]): string {
  const components = [...sortByName(packages).map(describe), ...brought.map(describeBrought)]
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, moment, components]))}`,
    version: 1,
    metadata: {
      timestamp: new Date(moment * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': 'gatehouse',
        name: 'gatehouse',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies: [{ ref: 'gatehouse', dependsOn: components.map(component => component['bom-ref']) }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function describe(folder: string) {
  const { version: pinned, integrity, resolved } = pinOf(folder)
  const name = nameOf(folder)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${pinned}`
  return {
    type: 'library',
    // One version can be there twice, in two folders.
    'bom-ref': `${purl}?in=${encodeURIComponent(folder)}`,
    name,
    version: pinned,
    purl,
    licenses: [describeLicence(licenceOf(folder))],
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    externalReferences: [{ type: 'distribution', url: resolved }],
  }
}

/** What the packages of PostgreSQL contain beside their own few lines, with versions as far as they tell. */
const brought = [
  { name: 'PostgreSQL', version: '18.4', licence: 'PostgreSQL' },
  { name: 'ICU', version: '60.2', licence: 'ICU' },
  { name: 'OpenSSL', version: '1.1', licence: 'OpenSSL' },
  { name: 'libxml2', version: '2', licence: 'MIT' },
  { name: 'libxslt', version: '1', licence: 'MIT' },
  { name: 'zlib', version: '1', licence: 'Zlib' },
  { name: 'liblzma', version: '5', licence: '0BSD' },
  { name: 'ossp-uuid', version: '1.6', licence: 'MIT' },
]

function describeBrought({ name, version: found, licence }: (typeof brought)[number]) {
  return {
    type: 'library',
    'bom-ref': `postgresql/${name}`,
    name,
    version: found,
    licenses: [describeLicence(licence)],
  }
}

function describeLicence(text: string) {
  return /^[\w.-]+$/.test(text) ? { license: { id: text } } : { expression: text }
}

/** A release that is built again has the same number. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
