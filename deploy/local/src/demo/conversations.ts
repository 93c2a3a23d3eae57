import type { Template, DemoTopic } from './template.ts';

const about =
  (topic: DemoTopic) =>
  (other: string, subject: string, file: string | null, emails: readonly string[]): Template => ({
    topic,
    other,
    subject,
    file,
    emails,
  });
const work = about('work');
const support = about('support');
const asks = (subject: string, file: string | null, emails: readonly string[]) => support('', subject, file, emails);

const TOM = 'Tom Okafor <tom@harbourpine.example>';
const PRIYA = 'Priya Raman <priya@harbourpine.example>';
const ELEANOR = 'Eleanor Voss <eleanor.voss@northtimber.example>';
const RUTH = 'Ruth Adeyemi <ruth.adeyemi@wharfsidehotel.example>';
const SAM = 'Sam Whitfield <sam@brightcratelogistics.example>';
const MARCUS = 'Marcus Bell <marcus@bellandfinch.example>';
const HANNAH = 'Hannah Brandt <h.brandt@moebelhaus-nord.example>';
const KLAUS = 'Klaus Jäger <klaus.jaeger@saegewerk-tann.example>';
const CAMILLE = 'Camille Lefèvre <camille@atelier-lefevre.example>';

/** Conversations of a small workshop that builds wooden furniture, in the languages of its customers. */
export const CONVERSATIONS: readonly Template[] = [
  work(TOM, 'Trade fair in {city}: stand and samples', 'stand-plan.pdf', [
    'The organisers in {city} need our stand plan by {day}. I would take the {item} and two stools. What do you think?',
    'I like it, but the {item} blocks the aisle. Could we turn it by ninety degrees?',
    'Good point. I have redrawn it, the plan is attached.\n\nThe van is booked for {day} at {hour}:00.',
    'Perfect, sent it to the organisers.',
    'One more thing: do we take price cards, or only the QR code to the shop?',
    'Both please. Last year half of the visitors asked us for prices on paper.',
  ]),
  work(RUTH, 'Quote for {count} x {item}', 'quote-{invoice}.pdf', [
    'We are furnishing our rooms and look for {count} pieces of the {item} in {colour}.\n\nCould you send a quote including delivery to {city}?',
    'Thank you for asking us. For {count} pieces in {colour} we can offer EUR {amount}, delivered to {city}.',
    'That is a little over what we planned. Is there room in the price if we take them in two deliveries?',
    'If both fit on the regular tour we can take {percent} euros off per piece. The new quote is attached.',
    'That works for us. The signed order follows today.',
  ]),
  work(ELEANOR, 'Oak prices from {month}', null, [
    'Our oak prices go up by about {percent} per cent from {month}. Boards that you reserve before keep the old price.',
    'Thanks for telling us early. How many cubic metres could we reserve?',
    'Up to twelve cubic metres, free of charge for eight weeks.',
    'Then please put nine aside for us, mostly 40 mm boards.',
  ]),
  work('Owen Pritchard <owen@pritchardphoto.example>', 'Photos of the {item}', 'preview-{code}.jpg', [
    'The pictures of the {item} are ready. I attached two previews, the full set is {count} images.',
    'They look wonderful. The wide one for the shop, and the detail of the joint for the newsletter please.',
    'Done. You will find both in the shared folder.',
  ]),
  work(PRIYA, 'Shop: {percent}% of carts stop at the delivery step', null, [
    '{percent}% of the carts stop at the delivery step. Should we show a flat rate instead of "on request"?',
    'Yes, let us try a flat rate. What would cover most of our real costs?',
    'About 49 euros for small pieces and 120 for tables.',
    'Agreed. Can you switch it on by {day}?',
  ]),
  work(TOM, 'Interview with {city} candidate on {day}', 'cv.pdf', [
    'The joiner from {city} can come on {day} at {hour}:00. Who else should be there?',
    'Priya, please. A short practical piece would help us more than a long talk.',
    'I will prepare a dovetail corner and an hour at the bench. The CV is attached.',
  ]),
  work(SAM, 'Delivery to {city} delayed', null, [
    'Our lorry to {city} has broken down and the tour moves to {day}. Your {count} pieces are safe in the depot.',
    'Thanks for letting us know. The hotel opens next week, is there any chance for an earlier van?',
    'We found one. It leaves tomorrow at {hour}:00, tracking number {tracking}.',
    'You saved our week. I have told the customer.',
  ]),
  work(PRIYA, 'Minutes of the {day} meeting', null, [
    'Here are the minutes:\n\n- The {item} goes into the autumn catalogue.\n- We try {colour} on three sample boards.\n\nPlease tell me if I forgot something.',
    'Only one thing: we also agreed to ask two more timber yards for prices.',
    'Right, added. Thank you.',
  ]),
  work(MARCUS, 'Insurance: inventory list until {day}', 'machines-{code}.xlsx', [
    'The insurer asks for the list of your machines until {day}. Is the one from last year still right?',
    'Nearly. The old band saw is gone. I attached the corrected list.',
    'Great, it is on its way to them.',
  ]),
  work(PRIYA, 'Idea for the {item}', 'drawing-{code}.pdf', [
    'What if we offered the {item} about {width} cm wide? I get that question every week in the showroom.',
    'The legs would look heavy at that width. I can draw one with a thinner frame, give me until {day}.',
    'This is lovely. Let us build one and put it in the window.',
    'It sold on the second day. I think we have our answer.',
  ]),
  work(KLAUS, 'Angebot für Eichenbohlen, {width} mm', 'Angebot-{invoice}.pdf', [
    'Sehr geehrte Frau Lindqvist,\n\nanbei unser Angebot über Eichenbohlen, {amount} EUR je Kubikmeter zuzüglich Fracht.',
    'Danke für das Angebot. Könnten Sie uns bei fünf Kubikmetern etwas entgegenkommen?',
    'Bei fünf Kubikmetern übernehmen wir gerne die Fracht. Einverstanden?',
    'Einverstanden, bitte schicken Sie uns die Auftragsbestätigung.',
  ]),
  work(CAMILLE, 'Visite de l’atelier à {city}', null, [
    'Chère Mara,\n\nserait-il possible de visiter votre atelier à {city} un après-midi ?',
    'Avec grand plaisir. Jeudi à {hour} heures vous conviendrait-il ? Le café est prêt.',
    'C’est noté, à jeudi !',
  ]),
  work('Åsa Bergström <asa@ljusochlinne.example>', 'Linneprover till höstkatalogen', null, [
    'Hej Mara,\n\nproverna är på väg till er, åtta färger i två kvaliteter.',
    'Tack så mycket! Den mörkblå är helt underbar ihop med eken. Kan vi få {count} meter före {month}?',
    'Det ordnar vi. Fakturan kommer separat.',
  ]),
  work('Дмитрий Орлов <d.orlov@dubimaster.example>', 'Вопрос о заказе {order}', null, [
    'Здравствуйте!\n\nПодскажите, пожалуйста, когда будет отправлен заказ {order}?',
    'Добрый день! Ваш заказ готов, отправка в пятницу. Номер для отслеживания: {tracking}.',
    'Большое спасибо за быстрый ответ!',
  ]),
  work('山田 花子 <hanako.yamada@kinoie.example>', '展示会のお礼とサンプルについて', null, [
    '先日の展示会ではありがとうございました。オーク材のサンプルを二枚送っていただけますでしょうか。',
    'ご連絡ありがとうございます。本日サンプルを発送いたしました。追跡番号は {tracking} です。',
    '無事に届きました。とても美しい木目です。ありがとうございました。',
  ]),
  asks('Where is my order {order}?', null, [
    'Hello,\n\nI ordered the {item} almost three weeks ago (order {order}). Could you tell me when it will be delivered?',
    'Your {item} left our workshop yesterday, the tracking number is {tracking}. The carrier will call you.',
    'It arrived today and looks great. Thanks for the quick answer!',
  ]),
  asks('Scratch on the {item}', 'IMG_{code}.jpg', [
    'Hi,\n\nthe {item} from order {order} arrived with a scratch on the top. I attached a photo. What can we do?',
    'I am sorry about that. We can send you a repair set, or collect the piece and give you a new one.',
    'The repair set sounds fine, if it comes with instructions.',
    'It does. It went out today, and we refund EUR 25 for the trouble.',
  ]),
  asks('Return of order {order}', null, [
    'I would like to return the {item} of order {order}. It is unused and still in its box. How does it work?',
    'Our carrier will collect it on {day}. The refund of EUR {amount} follows within five working days.',
    'It was collected this morning. Thank you.',
  ]),
  asks('Assembly of the {item}: one screw missing', 'assembly-plan.pdf', [
    'There are only seven screws of the long kind, and the plan says eight. Could you send me one?',
    'Of course. A bag with two of them is in the post to you, and I attached the newest version of the plan.',
  ]),
  asks('Is the {item} available in {width} cm?', null, [
    'Good morning,\n\nour wall has a gap of {width} cm. What would the {item} cost in that width, in {colour}?',
    'In {width} cm and {colour} the price is EUR {amount}, and it takes about six weeks.',
    'I have to talk to my partner, but we are very interested.',
    'Happy to hold the price until the end of {month}. Just reply to this mail.',
  ]),
  asks('Wrong address on order {order}', null, [
    'I typed the wrong house number in order {order}. It should be 14, not 41. Can you still change it?',
    'Changed. You will get a new confirmation in a few minutes.',
  ]),
  asks('How do I care for {colour}?', 'care-guide.pdf', [
    'We love the {item}! How often should we treat the surface, and with what? It has {colour}.',
    'Twice a year is enough: clean it with a damp cloth, let it dry, and rub in a thin layer of oil.',
    'Exactly what I needed, many thanks.',
  ]),
  support(HANNAH, 'Rückfrage zur Bestellung {order}', null, [
    'Guten Tag,\n\nwann können wir mit der Lieferung der Bestellung {order} rechnen? Nur der Tisch fehlt noch.',
    'Der Tisch ist geölt und trocknet gerade, er verlässt uns am Ende der Woche.',
    'Das klingt großartig. Wir freuen uns sehr!',
  ]),
  support(
    'Chloé Moreau <chloe.moreau@courriel.example>',
    'Question sur la commande n° {order}',
    'notice-de-montage.pdf',
    [
      "Bonjour,\n\nj'ai reçu ma table hier, elle est magnifique ! Il manque cependant la notice de montage.",
      "Vous trouverez la notice en pièce jointe. N'hésitez pas à nous écrire si une étape n'est pas claire.",
      "C'est parfait, merci beaucoup et à bientôt.",
    ],
  ),
  support('Lucía Fernández <lucia@casaroble.example>', '¿Envían a las Islas Canarias?', null, [
    'Buenos días:\n\nMe gustaría comprar el banco de jardín. ¿Hacen envíos a Tenerife y cuánto costaría?',
    'Sí, enviamos allí. El envío cuesta {percent} euros y tarda unos doce días.',
    'Estupendo, hago el pedido esta tarde. ¡Muchas gracias!',
  ]),
];
