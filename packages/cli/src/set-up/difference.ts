const secret = /SECRET|SMTP_URL|DATABASE_URL/

/** Lines that show what changes, without secrets. */
export function describeDifference(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap(name => {
    const [old, now] = [before[name], after[name]]
    if (old === now) return []
    const show = (value: string) => `${name}=${secret.test(name) ? '(secret)' : value}`
    return [
      ...(old === undefined ? [] : [`- ${show(old)}`]),
      ...(now === undefined ? [] : [`+ ${show(now)}`]),
    ]
  })
}
