import type { Voice } from './language.ts'

/** Whom users are told to contact: the address of the operator, if the installation has one. */
export function operatorOf(
  { operator_email }: { readonly operator_email?: string | undefined },
  voice: Voice,
): string {
  return operator_email ?? voice.say('operator')
}
