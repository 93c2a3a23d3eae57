/** A topic of conditions, with the folded stems that name it in a condition and in a mail. */
export interface ConditionTopic {
  name: string;
  named: readonly string[];
  seen: readonly string[];
}

const list = (words: string) => words.split(/,\s*/);

export const topics: readonly ConditionTopic[] = [
  {
    name: 'invoices',
    named: list('invoice, bill, billing, rechnung, facture, factura'),
    seen: list('invoice, amount due, payment due, due date, total due, billing, rechnung, facture, factura, iban'),
  },
  {
    name: 'receipts',
    named: list('receipt, order confirmation, purchase, quittung, beleg'),
    seen: list(
      'receipt, order confirmation, thank you for your order, your order, payment received, quittung, bestellung',
    ),
  },
  {
    name: 'newsletters',
    named: list('newsletter, marketing, promotion, advertis, digest, mailing list'),
    seen: list(
      'newsletter, unsubscribe, view in browser, view this email, weekly digest, abmelden, % off, special offer',
    ),
  },
  {
    name: 'meetings',
    named: list('meeting, appointment, calendar, schedul, invitation, besprechung, termin'),
    seen: list(
      'meeting, agenda, calendar, appointment, reschedul, are you available, invitation, join the call, besprechung, termin',
    ),
  },
  {
    name: 'questions',
    named: list('question, asks, asking, needs an answer, need an answer, needs a reply, expects an answer, frage'),
    seen: list('?, question, could you, can you, would you, please let me know, frage'),
  },
  {
    name: 'deliveries',
    named: list('deliver, shipping, shipment, parcel, package, tracking, lieferung, paket'),
    seen: list('deliver, shipped, shipment, parcel, tracking, out for delivery, lieferung, paket'),
  },
  {
    name: 'travel',
    named: list('travel, flight, hotel, booking, itinerary, reservation, reise'),
    seen: list('flight, boarding, hotel, booking, itinerary, reservation, check-in, reise'),
  },
  {
    name: 'account security',
    named: list('security, password, login, sign-in, verification code'),
    seen: list('password, verification code, security alert, new sign-in, sign-in, two-factor, one-time code'),
  },
  {
    name: 'applications',
    named: list('job, applica, candidate, resume, interview, bewerbung'),
    seen: list('application, applying, candidate, resume, curriculum vitae, interview, position, bewerbung'),
  },
  {
    name: 'complaints',
    named: list('complain, refund, problem, bug, broken, support request, beschwerde'),
    seen: list('complain, refund, problem, broken, not working, does not work, disappointed, error, beschwerde'),
  },
];
