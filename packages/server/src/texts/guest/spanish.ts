import type { GuestTexts } from './english.ts'

export const spanish: GuestTexts = {
  mail_open: 'Abrir',
  mail_footer: 'Enviado por Gatehouse en {host}.',
  mail_code_subject: 'Tu código: {code}',
  mail_code_text:
    'Introduce este código para ver tu acceso: {code}\n\nEs válido durante 10 minutos. Si no lo has pedido, ignora este correo.',
  mail_access_subject: 'Tu acceso a {organization}',
  mail_access_intro: '{organization} te ha dado acceso.',
  mail_access_from: 'Desde {from}',
  mail_access_until: 'Hasta {until}',
  mail_access_link: 'Abre este enlace en tu teléfono y verás las puertas que puedes usar:\n{link}',
  mail_access_pin: 'Tu PIN para los teclados: {pin}',
  mail_access_sign_in: 'Inicia sesión con esta dirección para ver tus puertas:\n{url}',
  mail_access_warning: 'No compartas este correo: con él, cualquiera podría abrir tus puertas.',
  mail_access_contact: '¿Preguntas? {contact}',
  mail_data_subject: 'Tus datos en {organization}',
  mail_data_text:
    'Lo que {organization} guarda sobre ti está listo. Inicia sesión para descargarlo, en un plazo de 7 días:\n{url}\n\nSi no lo has pedido, cierra sesión en todos tus dispositivos y avisa a {organization}.',
}
