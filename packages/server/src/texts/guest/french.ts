import type { GuestTexts } from './english.ts'

export const french: GuestTexts = {
  mail_open: 'Ouvrir',
  mail_footer: 'Envoyé par Gatehouse sur {host}.',
  mail_code_subject: 'Votre code : {code}',
  mail_code_text:
    'Saisissez ce code pour voir votre accès : {code}\n\nIl est valable 10 minutes. Si vous ne l’avez pas demandé, ignorez cet e-mail.',
  mail_access_subject: 'Votre accès à {organization}',
  mail_access_intro: '{organization} vous a donné accès.',
  mail_access_from: 'À partir du {from}',
  mail_access_until: 'Jusqu’au {until}',
  mail_access_link: 'Ouvrez ce lien sur votre téléphone pour voir vos portes :\n{link}',
  mail_access_pin: 'Votre code PIN pour les claviers : {pin}',
  mail_access_sign_in: 'Connectez-vous avec cette adresse pour voir vos portes :\n{url}',
  mail_access_warning: 'Gardez cet e-mail pour vous : il permet d’ouvrir vos portes.',
  mail_access_contact: 'Des questions ? {contact}',
  mail_data_subject: 'Vos données chez {organization}',
  mail_data_text:
    'Ce que {organization} conserve à votre sujet est prêt. Connectez-vous pour le récupérer, dans les 7 jours :\n{url}\n\nSi vous ne l’avez pas demandé, déconnectez-vous sur tous vos appareils et prévenez {organization}.',
}
