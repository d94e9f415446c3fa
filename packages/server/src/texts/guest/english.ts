export const english = {
  mail_open: 'Open',
  mail_footer: 'Sent by Gatehouse at {host}.',
  mail_code_subject: 'Your code: {code}',
  mail_code_text:
    'Enter this code to see your access: {code}\n\nThe code is valid for 10 minutes. If you did not request it, ignore this email.',
  mail_access_subject: 'Your access to {organization}',
  mail_access_intro: '{organization} has given you access.',
  mail_access_from: 'From {from}',
  mail_access_until: 'Until {until}',
  mail_access_link: 'Open this link on your phone to see the doors you can open:\n{link}',
  mail_access_pin: 'Your PIN for keypads: {pin}',
  mail_access_sign_in: 'Sign in with this address to see your doors:\n{url}',
  mail_access_warning: 'Do not forward this email: anyone who has it can open your doors.',
  mail_access_contact: 'Questions? {contact}',
  mail_data_subject: 'Your data at {organization}',
  mail_data_text:
    'What {organization} holds about you is ready. Sign in to fetch it, within 7 days:\n{url}\n\nIf you did not ask for it, sign out on all your devices and tell {organization}.',
}

export type GuestTexts = { readonly [Key in keyof typeof english]: string }
