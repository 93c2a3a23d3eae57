import type { Talk } from './talk.ts';
import type { Language } from './cast.ts';

/** Conversations with people who write in their own language, and are answered in it. */
export const FOREIGN_TALKS: Readonly<Record<Exclude<Language, 'en'>, readonly Talk[]>> = {
  de: [
    {
      subject: 'Rückfrage zur Bestellung {order}',
      turns: [
        'Guten Tag,\n\nwann können wir mit der Lieferung der Bestellung {order} rechnen? Unsere Küche ist fertig, nur der Tisch fehlt noch.',
        'Vielen Dank für Ihre Nachricht. Der Tisch ist geölt und trocknet gerade, er verlässt uns am Ende der Woche. Die Spedition ruft Sie vorher an.',
        'Das klingt großartig. Wir freuen uns sehr!',
      ],
    },
    {
      subject: 'Angebot für Eichenbohlen, {width} mm',
      turns: [
        'Sehr geehrte Frau Lindqvist,\n\nanbei unser Angebot über Eichenbohlen, gehobelt und getrocknet, {amount} EUR je Kubikmeter zuzüglich Fracht.',
        'Danke für das Angebot. Könnten Sie uns bei fünf Kubikmetern etwas entgegenkommen?',
        'Bei fünf Kubikmetern übernehmen wir gerne die Fracht. Einverstanden?',
        'Einverstanden, bitte schicken Sie uns die Auftragsbestätigung.',
      ],
      attaches: 'Angebot-{invoice}.pdf',
    },
  ],
  fr: [
    {
      subject: 'Question sur la commande n° {order}',
      turns: [
        "Bonjour,\n\nj'ai reçu ma table hier, elle est magnifique ! Il manque cependant la notice de montage. Pourriez-vous me l'envoyer par courriel ?",
        "Bonjour,\n\nvous trouverez la notice en pièce jointe. N'hésitez pas à nous écrire si une étape n'est pas claire.",
        "C'est parfait, merci beaucoup et à bientôt.",
      ],
      attaches: 'notice-de-montage.pdf',
    },
    {
      subject: 'Visite de l’atelier à {place}',
      turns: [
        'Chère Mara,\n\nnous serons à {place} la semaine prochaine. Serait-il possible de visiter votre atelier un après-midi ?',
        'Avec grand plaisir. Jeudi à {hour} heures vous conviendrait-il ? Le café est prêt.',
        'C’est noté, à jeudi !',
      ],
    },
  ],
  es: [
    {
      subject: '¿Envían a las Islas Canarias?',
      turns: [
        'Buenos días:\n\nMe gustaría comprar el banco de jardín. ¿Hacen envíos a Tenerife y cuánto costaría?',
        'Buenos días:\n\nSí, enviamos allí. El envío cuesta {percent} euros y tarda unos doce días.',
        'Estupendo, hago el pedido esta tarde. ¡Muchas gracias!',
      ],
    },
  ],
  sv: [
    {
      subject: 'Linneprover till höstkatalogen',
      turns: [
        'Hej Mara,\n\nproverna är på väg till er, åtta färger i två kvaliteter. Hör av dig när du har känt på dem!',
        'Tack så mycket! Den mörkblå är helt underbar ihop med eken. Kan vi få {count} meter före {month}?',
        'Det ordnar vi. Fakturan kommer separat.',
      ],
    },
  ],
  ru: [
    {
      subject: 'Вопрос о заказе {order}',
      turns: [
        'Здравствуйте!\n\nПодскажите, пожалуйста, когда будет отправлен заказ {order}? Мы переезжаем в начале месяца.',
        'Добрый день! Ваш заказ готов, отправка в пятницу. Номер для отслеживания: {tracking}.',
        'Большое спасибо за быстрый ответ!',
      ],
    },
  ],
  ja: [
    {
      subject: '展示会のお礼とサンプルについて',
      turns: [
        'お世話になっております。\n\n先日の展示会ではありがとうございました。オーク材のサンプルを二枚送っていただけますでしょうか。',
        'ご連絡ありがとうございます。本日サンプルを発送いたしました。追跡番号は {tracking} です。',
        '無事に届きました。とても美しい木目です。ありがとうございました。',
      ],
    },
  ],
};
