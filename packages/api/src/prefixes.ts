/**
 * Every kind of object and the prefix of its ids. Kinds refer to each other by these names, so files need no cycles. Events name
 * them in this order, which is also that of the columns of exports: new kinds come last.
 */
export const prefixes = {
  organization: 'org',
  device: 'dev',
  gadget: 'gad',
  gadget_trigger: 'gt',
  member: 'mem',
  member_email: 'me',
  member_magic_link: 'mml',
  member_group: 'mg',
  member_group_association: 'mga',
  member_pin: 'mp',
  member_card: 'mc',
  member_token: 'mt',
  site: 'site',
  schedule: 'sch',
  card: 'crd',
  webhook: 'wh',
  tag: 'tag',
  user: 'usr',
  invitation: 'inv',
  oauth_application: 'app',
  event: 'evt',
  webhook_delivery: 'del',
} as const

export type Kind = keyof typeof prefixes
