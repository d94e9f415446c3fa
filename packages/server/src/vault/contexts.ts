/** The context that each encrypted value is bound to: it cannot be decrypted in another row. */
export const sealedAs = {
  member_pin: (id: string) => `member_pin ${id}`,
  member_magic_link: (id: string) => `member_magic_link ${id}`,
  webhook: (id: string) => `webhook ${id}`,
  notification_target: (id: string) => `notification_target ${id}`,
  job: (id: string) => `job ${id}`,
  calendar: (id: string) => `calendar ${id}`,
  push_key: (id: string) => `push key ${id}`,
  push_subscription: (id: string) => `push subscription ${id}`,
  totp_key: (user_id: string) => `totp ${user_id}`,
  audit_key: (id: string) => `audit key ${id}`,
  certificate_key: (directory: string, name: string) => `certificate ${name} ${directory}`,
  acme_account: (directory: string) => `acme account ${directory}`,
  idempotent_answer: (organization_id: string, owner_id: string, key: string) =>
    `${organization_id} ${owner_id} ${key}`,
}

/** The purposes of digests. The same value has a different digest for each purpose. */
export const digestFor = {
  pin: (organization_id: string) => `pin ${organization_id}`,
  import_key: (job_id: string) => `import key ${job_id}`,
  sign_in_attempt: (kind: string) => `sign-in ${kind}`,
  picture: 'picture',
  logo: 'logo',
  mail_code: 'mail code',
  mail_send: 'mail send',
  known_name: 'known name',
  known_browser: 'known browser',
  known_link: 'known link',
  csrf_token: 'csrf',
  form_token: 'form',
  first_owner: 'first owner',
  log: 'log',
} as const
