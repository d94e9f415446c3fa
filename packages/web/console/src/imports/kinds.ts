import { t } from '../language/t.ts'
/** What the console imports, and how it calls it. */
export const importedKinds = {
  members: {
    title: 'Import members',
    path: '/members',
    list: t('Members'),
    one: 'member',
    many: 'members',
    example: [
      ['external_id', 'name', 'email', 'groups', 'from', 'until', 'pin'],
      [
        'R-1001',
        t('Ana García'),
        'ana@example.com',
        t('Guests; Pool'),
        '2026-12-01 15:00',
        '2026-12-05 11:00',
        'new',
      ],
    ],
  },
  cards: {
    title: 'Import cards',
    path: '/cards',
    list: t('Cards'),
    one: 'card',
    many: 'cards',
    example: [
      ['uid', 'printed_code', 'name'],
      ['04A1B2C3D4E5F6', 'GH-000123', t('Staff card 12')],
    ],
  },
} as const

export type ImportedKind = keyof typeof importedKinds
