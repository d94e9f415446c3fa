export const english = {
  mail_code_subject: 'Your code: {code}',
  mail_code_text:
    'Enter this code to see your access: {code}\n\nIt is valid for 10 minutes. If you did not ask for it, ignore this mail.',
  mail_access_subject: 'Your access to {organization}',
  mail_access_intro: '{organization} has given you access.',
  mail_access_from: 'From {from}',
  mail_access_until: 'Until {until}',
  mail_access_link: 'Open this link on your phone, and the doors you may use are there:\n{link}',
  mail_access_pin: 'Your PIN for the keypads: {pin}',
  mail_access_sign_in: 'Sign in with this address to see your doors:\n{url}',
  mail_access_warning: 'Keep this mail to yourself: with it, anyone could open your doors.',
  mail_access_contact: 'Questions? {contact}',
}

export type GuestTexts = { readonly [Key in keyof typeof english]: string }
