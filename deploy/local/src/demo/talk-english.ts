import type { Talk } from './talk.ts';

/** Conversations of the workshop. Each turn is one letter, in this order. */
export const WORK_TALKS: readonly Talk[] = [
  {
    subject: 'Trade fair in {place}: stand and samples',
    turns: [
      'The organisers in {place} need our final stand plan by {day}. We have 4 x 3 metres this year.\n\nI would take the {item} and two stools, and hang the finish samples on the back wall. What do you think?',
      'I like it, but the {item} blocks the aisle if people stop to look. Could we turn it by ninety degrees and put the samples on the left?',
      'Good point. I have redrawn it that way, the plan is attached.\n\nThe van is booked for {day} at {hour}:00.',
      'Perfect, sent it to the organisers. They confirm the power socket on the left side as well.',
      'One more thing: do we take price cards, or only the QR code to the shop?',
      'Both please. Last year half of the visitors asked us for prices on paper.',
    ],
    attaches: 'stand-plan.pdf',
  },
  {
    subject: 'Quote for {count} x {item}',
    turns: [
      'We are furnishing our new rooms and are looking for {count} pieces of the {item} in {colour}.\n\nCould you send a quote including delivery to {place}? We would need them by the end of {month}.',
      'Thank you for asking us. For {count} pieces in {colour} we can offer EUR {amount} in total, delivered to {place}.\n\nLead time is about seven weeks from the order.',
      'That is a little over what we planned. Is there room in the price if we take them in two deliveries?',
      'If both deliveries fit on the regular tour we can take {percent} euros off per piece. I have attached the new quote.',
      'That works for us. Please go ahead, the signed order follows today.',
    ],
    attaches: 'quote-{invoice}.pdf',
  },
  {
    subject: 'Oak prices from {month}',
    turns: [
      'A short heads-up: our oak prices will go up by about {percent} per cent from {month}. Boards that you reserve before then keep the old price.',
      'Thanks for telling us early. How many cubic metres could we reserve, and how long would you store them?',
      'Up to twelve cubic metres, free of charge for eight weeks. After that we would ask for a small storage fee.',
      'Then please put nine aside for us, mostly 40 mm boards.',
    ],
  },
  {
    subject: 'Photos of the {item}',
    turns: [
      'The pictures of the {item} are ready. I attached two previews, the full set is about {count} images.\n\nWhich crop do you want for the shop page?',
      'They look wonderful. The wide one for the shop, and the detail of the joint for the newsletter please.',
      'Done. You will find both in the shared folder, in print size and for the web.',
    ],
    attaches: 'preview-{code}.jpg',
  },
  {
    subject: 'Shop: {percent}% of carts stop at the delivery step',
    turns: [
      'I looked at the numbers of the last two weeks: {percent}% of the carts stop at the delivery step. People from outside the country see no price there, only "on request".\n\nShould we show a flat rate instead?',
      'Yes, let us try a flat rate. What would cover most of our real costs?',
      'About 49 euros for small pieces and 120 for tables. It would have covered nine of the last ten orders.',
      'Agreed. Can you switch it on by {day}?',
      'It is live since this morning. I will send the first numbers next week.',
    ],
  },
  {
    subject: 'Interview with {place} candidate on {day}',
    turns: [
      'The joiner from {place} can come on {day} at {hour}:00. Who else should be there?',
      'Tom, please, and somebody from the finishing room. A short practical piece would help us more than a long talk.',
      'I will prepare a dovetail corner and an hour at the bench. The CV is attached.',
      'Just a word after the interview: calm, precise, and asked the right questions about our glue. I would say yes.',
    ],
    attaches: 'cv.pdf',
  },
  {
    subject: 'Delivery to {place} delayed',
    turns: [
      'Our lorry to {place} has broken down and the tour moves to {day}. Your pallets with {count} pieces are safe in the depot.',
      'Thanks for letting us know. The hotel opens next week, is there any chance for an earlier van?',
      'We found one. It leaves tomorrow at {hour}:00, tracking number {tracking}.',
      'You saved our week. I have told the customer.',
    ],
  },
  {
    subject: 'Minutes of the {day} meeting',
    turns: [
      'Here are the minutes:\n\n- The {item} goes into the autumn catalogue.\n- The dust extraction gets its service in {month}.\n- We try {colour} on three sample boards.\n\nPlease tell me if I forgot something.',
      'Only one thing: we also agreed to ask two more timber yards for prices.',
      'Right, added. Thank you.',
    ],
  },
  {
    subject: 'Insurance: inventory list until {day}',
    turns: [
      'The insurer asks for the list of our machines with year and value until {day}. Is the one from last year still right?',
      'Nearly. The old band saw is gone and the new edge sander is missing. I attached the corrected list.',
      'Great, it is on its way to them.',
    ],
    attaches: 'machines-{year}.xlsx',
  },
  {
    subject: 'Idea for the {item}',
    turns: [
      'What if we offered the {item} in a smaller size, about {width} cm wide? I get that question every week in the showroom.',
      'The legs would look heavy at that width. I can draw one with a thinner frame, give me until {day}.',
      'Here is the drawing. The frame is four millimetres thinner and uses the same joints.',
      'This is lovely. Let us build one and put it in the window.',
      'It sold on the second day. I think we have our answer.',
    ],
    attaches: 'drawing-{code}.pdf',
  },
];

/** Questions of customers and what the workshop answers. */
export const SUPPORT_TALKS: readonly Talk[] = [
  {
    subject: 'Where is my order {order}?',
    turns: [
      'Hello,\n\nI ordered the {item} almost three weeks ago (order {order}) and have not heard anything since. Could you tell me when it will be delivered?',
      'Thank you for your patience. Your {item} left our workshop yesterday, the tracking number is {tracking}. The carrier will call you to agree on a time.',
      'It arrived today and looks great. Thanks for the quick answer!',
    ],
  },
  {
    subject: 'Scratch on the {item}',
    turns: [
      'Hi,\n\nthe {item} from order {order} arrived with a scratch on the top, about five centimetres long. I attached a photo. What can we do?',
      'I am sorry about that. We can send you a small repair set with oil and a pad, or collect the piece and give you a new one. What would you prefer?',
      'The repair set sounds fine, if it comes with instructions.',
      'It does. It went out today, and we refund EUR 25 for the trouble.',
    ],
    attaches: 'IMG_{code}.jpg',
  },
  {
    subject: 'Return of order {order}',
    turns: [
      'I would like to return the {item} of order {order}. It is unused and still in its box. How does it work?',
      'No problem. Please keep the box closed, our carrier will collect it on {day}. The refund of EUR {amount} follows within five working days after that.',
      'It was collected this morning. Thank you.',
    ],
  },
  {
    subject: 'Assembly of the {item}: one screw missing',
    turns: [
      'Everything went well until step six: there are only seven screws of the long kind, and the plan says eight. Could you send me one?',
      'Of course. A bag with two of them is in the post to you, and I attached the newest version of the plan.',
    ],
    attaches: 'assembly-plan.pdf',
  },
  {
    subject: 'Is the {item} available in {width} cm?',
    turns: [
      'Good morning,\n\nour wall has a gap of {width} cm. Do you build the {item} in that width, and what would it cost in {colour}?',
      'We do. In {width} cm and {colour} the price is EUR {amount}, and it takes about six weeks.',
      'I have to talk to my partner, but we are very interested.',
      'Happy to hold the price until the end of {month}. Just reply to this mail.',
    ],
  },
  {
    subject: 'Wrong address on order {order}',
    turns: [
      'I just saw that I typed the wrong house number in order {order}. It should be 14, not 41. Can you still change it?',
      'Changed. You will get a new confirmation in a few minutes.',
    ],
  },
  {
    subject: 'How do I care for {colour}?',
    turns: [
      'We love the {item}! How often should we treat the surface, and with what? It has {colour}.',
      'How nice to hear. Twice a year is enough: clean it with a damp cloth, let it dry, and rub in a thin layer. A care set is in our shop, and the short guide is attached.',
      'Exactly what I needed, many thanks.',
    ],
    attaches: 'care-guide.pdf',
  },
];
