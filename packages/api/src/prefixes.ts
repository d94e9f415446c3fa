/** Every kind of object and the prefix of its ids. Kinds refer to each other by these names, so files need no cycles. */
export const prefixes = {
  organization: 'org',
  site: 'site',
  device: 'dev',
  gadget: 'gad',
  gadget_trigger: 'gt',
  member: 'mem',
  member_email: 'me',
  member_magic_link: 'mml',
  member_pin: 'mp',
  member_card: 'mc',
  member_token: 'mt',
  member_group_association: 'mga',
  member_group: 'mg',
  schedule: 'sch',
  card: 'crd',
  tag: 'tag',
  event: 'evt',
  webhook: 'wh',
  webhook_delivery: 'del',
  user: 'usr',
  oauth_application: 'app',
  invitation: 'inv',
} as const

export type Kind = keyof typeof prefixes
