/**
 * Every kind of object and its id prefix. Resources refer to each other by kind, so that their files need no
 * import cycles. Events name kinds in this order, and so do the columns of exports: append new kinds at the
 * end.
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
  calendar: 'cal',
  calendar_day: 'cld',
  unlock_rule: 'ur',
  emergency_plan: 'ep',
  emergency: 'em',
  alarm: 'alm',
  alarm_rule: 'alr',
  notification_target: 'ntt',
  notification: 'ntf',
  job: 'job',
  erasure: 'ers',
  legal_hold: 'lh',
} as const

export type Kind = keyof typeof prefixes
