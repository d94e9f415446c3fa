import type { GuestTexts } from './english.ts'

export const arabic: GuestTexts = {
  mail_open: 'افتح',
  mail_footer: 'أرسلها Gatehouse من {host}.',
  mail_code_subject: 'رمزك: {code}',
  mail_code_text:
    'أدخل هذا الرمز لعرض صلاحية دخولك: {code}\n\nالرمز صالح لمدة 10 دقائق. إذا لم تطلبه فتجاهل هذه الرسالة.',
  mail_access_subject: 'صلاحية دخولك إلى {organization}',
  mail_access_intro: 'منحتك {organization} صلاحية الدخول.',
  mail_access_from: 'من {from}',
  mail_access_until: 'حتى {until}',
  mail_access_link: 'افتح هذا الرابط على هاتفك لتظهر لك الأبواب التي يمكنك استخدامها:\n{link}',
  mail_access_pin: 'رقمك السري للوحات المفاتيح: {pin}',
  mail_access_sign_in: 'سجّل الدخول بهذا العنوان لعرض أبوابك:\n{url}',
  mail_access_warning: 'احتفظ بهذه الرسالة لنفسك: من يحصل عليها يستطيع فتح أبوابك.',
  mail_access_contact: 'أسئلة؟ {contact}',
  mail_data_subject: 'بياناتك لدى {organization}',
  mail_data_text:
    'ما تحتفظ به {organization} عنك جاهز. سجّل الدخول لتنزيله خلال 7 أيام:\n{url}\n\nإذا لم تطلب ذلك، فسجّل الخروج من جميع أجهزتك وأبلغ {organization}.',
}
