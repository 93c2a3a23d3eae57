/** Mail that machines send: one letter each, without answers. */
export interface Notice {
  from: { name: string; email: string };
  subject: string;
  text: string;
  attaches?: string;
}

const from = (name: string, email: string) => ({ name, email });

export const NEWSLETTERS: readonly Notice[] = [
  {
    from: from('Grain & Joint Weekly', 'weekly@grainandjoint.example'),
    subject: 'Issue {issue}: the quiet comeback of the wedge',
    text: 'In this issue:\n\n* Why wedges hold where glue gives up\n* A visit to a chair maker in {place}\n* Reader question: which finish for a {item}?\n\nRead it with a cup of something warm.',
  },
  {
    from: from('Small Shop Letter', 'hello@smallshopletter.example'),
    subject: '{percent}% more repeat customers with one honest mail',
    text: 'Most shops write too often and say too little. This week we look at a furniture maker who writes twice a year, and sells out each time.\n\nAlso: what changes in delivery rules from {month}.',
  },
  {
    from: from('Le Bois Vivant', 'lettre@boisvivant.example'),
    subject: 'La lettre n° {issue} : chêne, frêne et patience',
    text: "Ce mois-ci : séchage naturel, rencontre avec une ébéniste de {place}, et l'agenda des salons de l'été.",
  },
  {
    from: from('Stadtblick', 'newsletter@stadtblick.example'),
    subject: 'Das Wochenende: Märkte, Musik und ein offenes Atelier',
    text: 'Am Samstag öffnen über zwanzig Werkstätten ihre Türen. Außerdem: die schönsten Höfe für den Spätsommer.',
  },
  {
    from: from('Shopkit Product News', 'news@shopkit.example'),
    subject: 'New in {month}: delivery rules, faster checkout',
    text: 'You can now set a delivery price for each region, and checkout loads {percent}% faster on phones.\n\nEverything is switched on already, there is nothing to do.',
  },
  {
    from: from('Timber Market Report', 'report@timbermarket.example'),
    subject: 'Timber report, {month} {year}',
    text: 'Oak rose by {percent} per cent against last month, ash and beech are unchanged. Stocks in northern yards are at a three-year low.',
  },
];

export const BILLS: readonly Notice[] = [
  {
    from: from('North Timber', 'billing@northtimber.example'),
    subject: 'Invoice {invoice} for your order of {month}',
    text: 'Please find attached invoice {invoice} over EUR {amount}. It is due within 14 days.\n\nKind regards\nNorth Timber',
    attaches: 'invoice-{invoice}.pdf',
  },
  {
    from: from('Bright Crate Logistics', 'accounts@brightcratelogistics.example'),
    subject: 'Your invoice {invoice}: {count} consignments',
    text: 'Invoice {invoice} for {count} consignments, in total EUR {amount}, is attached as PDF and XML.',
    attaches: 'BC-{invoice}.pdf',
  },
  {
    from: from('Shopkit', 'billing@shopkit.example'),
    subject: 'Receipt for your Shopkit subscription',
    text: 'We charged EUR {amount} to your card for {month} {year}. The receipt is attached; no action is needed.',
    attaches: 'receipt-{code}.pdf',
  },
  {
    from: from('Stadtwerke Hafen', 'rechnung@stadtwerke-hafen.example'),
    subject: 'Ihre Stromrechnung {invoice}',
    text: 'Sehr geehrte Damen und Herren,\n\nIhre Rechnung über {amount} EUR für {month} finden Sie im Anhang. Den Betrag buchen wir in zehn Tagen ab.',
    attaches: 'Rechnung_{invoice}.pdf',
  },
  {
    from: from('Harbour Workspaces', 'rent@harbourworkspaces.example'),
    subject: 'Rent for {month}: payment reminder',
    text: 'The rent of EUR {amount} for {month} is open. If you have paid in the meantime, please ignore this reminder.',
  },
];

export const ALERTS: readonly Notice[] = [
  {
    from: from('Harbour & Pine Shop', 'orders@shop.harbourpine.example'),
    subject: 'New order {order}: {item}',
    text: 'A new order has come in.\n\nOrder: {order}\nItem: {item}, {colour}\nTotal: EUR {amount}\nDelivery: {place}',
  },
  {
    from: from('Bright Crate Tracking', 'tracking@brightcratelogistics.example'),
    subject: 'Delivered: {tracking}',
    text: 'Your consignment {tracking} was delivered in {place} at {hour}:12 and signed for.',
  },
  {
    from: from('Shopkit', 'no-reply@shopkit.example'),
    subject: 'Your sign-in code is {code}',
    text: 'Enter {code} to sign in. The code works for ten minutes. If it was not you, change your password.',
  },
  {
    from: from('Calendar', 'calendar@harbourpine.example'),
    subject: 'Invitation: {item} review, {day} {hour}:00',
    text: 'You are invited to "{item} review" on {day} at {hour}:00 in the showroom.\n\nAccept or decline in your calendar.',
    attaches: 'invite.ics',
  },
  {
    from: from('Reviews', 'reviews@trustedstars.example'),
    subject: 'New review: five stars for the {item}',
    text: '"Better than on the pictures, and the delivery people were kind." Answer within two days to show that you care.',
  },
];

export const SPAM: readonly Notice[] = [
  {
    from: from('Prize Department', 'winner@luckydraw-now.example'),
    subject: 'CONGRATULATIONS!!! You have been selected ({code})',
    text: 'Dear Winner, you have won EUR {amount},000. Send your bank details within 24 hours to claim your prize.',
  },
  {
    from: from('SEO Expert', 'rank1@topsearchresults.example'),
    subject: 'Your website is losing {percent}% of visitors',
    text: 'Hello owner, I looked at your website and found many errors. We bring you to page one in 7 days, guaranteed.',
  },
  {
    from: from('Billing Security', 'verify@account-check.example'),
    subject: 'Action required: your account will be closed',
    text: 'We could not verify your last payment. Click below and confirm your password to avoid the closing of your account.',
  },
  {
    from: from('Best Watches', 'deals@timepieces-outlet.example'),
    subject: 'Luxury watches, {percent}% off, today only',
    text: 'Original quality, unbelievable prices. Free shipping to {place} and everywhere else.',
  },
];

export const DRAFTS: readonly { subject: string; text: string }[] = [
  {
    subject: 'Thank you for the {day} visit',
    text: 'It was a pleasure to show you around. As promised, here are the prices for the {item}:\n\n',
  },
  {
    subject: 'Offer for {place}',
    text: 'Thank you for your patience. We can offer the {item} in {colour} for EUR {amount}.\n\n(check the lead time with Tom before sending)',
  },
  { subject: '', text: 'Could we move our call to {day}? I am in the workshop until {hour}:00.' },
  {
    subject: 'Spring newsletter, first lines',
    text: 'The first warm days bring new pieces: the {item} is back, and it has a smaller sister.',
  },
];
