import type { Tenant } from '@gatehouse-access/testkit'
import fc from 'fast-check'

/** Texts that are hard on CSV: delimiters, quotes, line ends, formulas, apostrophes, spaces, other scripts. */
const odd = fc.string({
  unit: fc.constantFrom(...`,;"'=+-@ aä😀0\t\n\r.|/{}`, '\u00a0', 'ß', '漢'),
  minLength: 1,
  maxLength: 12,
})

/** The same on one line. */
const labelOf = (text: typeof odd) =>
  text.map(text => text.replaceAll(/[\t\n\r]/g, '_')).filter(text => text.trim() !== '-')

function grantOf(text: typeof odd) {
  const label = labelOf(text)
  const member = fc.record({
    name: fc.option(label),
    metadata: fc.dictionary(fc.oneof(fc.constantFrom('floor', 'a.b', 'note', 'source'), label), text, {
      maxKeys: 4,
    }),
    starts_at: fc.option(fc.constantFrom('2031-01-01T00:00:00.123456Z', '2031-06-01T10:30:00Z')),
    ends_at: fc.option(fc.constantFrom('2032-01-01T00:00:00Z', '2033-06-01T10:30:00.5Z')),
    language: fc.option(fc.constantFrom('de', 'pt-BR')),
  })
  return fc.record({
    member,
    // A blank cell is an empty one.
    external_id: label.filter(text => text.trim() !== ''),
    groups: fc.subarray([0, 1, 2]),
    tags: fc.subarray([0, 1]),
    emails: fc.subarray(['a@example.com', "o'brien+x@example.org"]),
  })
}

/** Grants to people whose every text is odd, the same ones for a seed. */
export async function addOddPeople(
  { client }: Tenant,
  count: number,
  seed: number,
  isWanted: (text: string) => boolean = () => true,
): Promise<void> {
  const text = odd.filter(isWanted)
  const label = labelOf(text)
  const groups = fc.sample(label, { seed, numRuns: 3 })
  const tags = fc.sample(label, { seed: -seed, numRuns: 2 })
  const groupIds: string[] = []
  for (const name of groups) groupIds.push((await client.member_groups.create({ name })).id)
  const tagIds: string[] = []
  for (const [index, name] of tags.entries())
    tagIds.push((await client.tags.create({ name: `${name}${index}` })).id)
  const people = fc.uniqueArray(grantOf(text), {
    selector: one => one.external_id.trim(),
    minLength: count,
    maxLength: count,
  })
  const [grants = []] = fc.sample(people, { seed, numRuns: 1 })
  const operations = grants.map(({ external_id, member, groups, tags, emails }, index) => ({
    method: 'POST' as const,
    path: '/grants',
    body: {
      external_id,
      member: { ...member, tag_ids: tags.map(at => tagIds[at]) },
      member_group_ids: groups.map(at => groupIds[at]),
      credentials: { emails, ...(index % 3 === 0 && { card: { uid: `04A1${1000 + index}` }, pin: {} }) },
    },
  }))
  for (let from = 0; from < count; from += 100)
    await client.bulk(operations.slice(from, from + 100), { atomic: true })
}
