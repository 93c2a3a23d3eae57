import type { Template, DemoTopic } from './template.ts';

/** Mail that machines send, and drafts, by topic: each line is sender | subject | text | file. */
const NOTICES_BY_TOPIC: Readonly<Record<Exclude<DemoTopic, 'work' | 'support'>, string>> = {
  newsletter: `
    Grain & Joint Weekly <weekly@grainandjoint.example> | Issue {count}: the quiet comeback of the wedge | In this issue: Why wedges hold where glue gives up, A visit to a chair maker in {city}, Reader question: which finish for a {item}?
    Small Shop Letter <hello@smallshopletter.example> | {percent}% more repeat customers with one honest mail | Most shops write too often and say too little. Also: what changes in delivery rules from {month}.
    Le Bois Vivant <lettre@boisvivant.example> | La lettre n° {count} : chêne, frêne et patience | Ce mois-ci : séchage naturel, une ébéniste de {city}, et l'agenda des salons de l'été.
    Stadtblick <newsletter@stadtblick.example> | Das Wochenende: Märkte, Musik und ein offenes Atelier | Am Samstag öffnen über zwanzig Werkstätten ihre Türen. Außerdem: die schönsten Höfe für den Spätsommer.
    Shopkit Product News <news@shopkit.example> | New in {month}: delivery rules, faster checkout | You can now set a delivery price for each region, and checkout loads {percent}% faster on phones.
    Timber Market Report <report@timbermarket.example> | Timber report, {month} | Oak rose by {percent} per cent against last month, ash and beech are unchanged.
    Chair of the Week <post@chairoftheweek.example> | This week: a stool from {city} | Three legs, one board, {colour}. The maker tells how {count} of them left the workshop in a month.
    Makers Podcast <listen@makerspod.example> | Episode {count}: the {item} that took a year | A joiner from {city} on patience, {colour}, and why she still draws by hand.
  `,
  bill: `
    North Timber <billing@northtimber.example> | Invoice {invoice} for your order of {month} | Please find attached invoice {invoice} over EUR {amount}. It is due within 14 days. | invoice-{invoice}.pdf
    Bright Crate Logistics <accounts@brightcratelogistics.example> | Your invoice {invoice}: {count} consignments | Invoice {invoice} for {count} consignments, in total EUR {amount}, is attached. | BC-{invoice}.pdf
    Shopkit <billing@shopkit.example> | Receipt for your Shopkit subscription | We charged EUR {amount} to your card for {month}. The receipt is attached; no action is needed. | receipt-{code}.pdf
    Stadtwerke Hafen <rechnung@stadtwerke-hafen.example> | Ihre Stromrechnung {invoice} | Ihre Rechnung über {amount} EUR für {month} finden Sie im Anhang. Den Betrag buchen wir in zehn Tagen ab. | Rechnung_{invoice}.pdf
    Harbour Workspaces <rent@harbourworkspaces.example> | Rent for {month}: payment reminder | The rent of EUR {amount} for {month} is open. If you have paid in the meantime, please ignore this reminder.
    Fasteners & Co <invoices@fasteners.example> | Credit note {invoice} | We credit EUR {amount} for {count} boxes of screws that you returned. The credit note is attached. | credit-{invoice}.pdf
  `,
  alert: `
    Harbour & Pine Shop <orders@shop.harbourpine.example> | New order {order}: {item} | A new order has come in. Order: {order} Item: {item}, {colour} Total: EUR {amount} Delivery: {city}
    Bright Crate Tracking <tracking@brightcratelogistics.example> | Delivered: {tracking} | Your consignment {tracking} was delivered in {city} at {hour}:12 and signed for.
    Shopkit <no-reply@shopkit.example> | Your sign-in code is {code} | Enter {code} to sign in. The code works for ten minutes. If it was not you, change your password.
    Calendar <calendar@harbourpine.example> | Invitation: {item} review, {day} {hour}:00 | You are invited to "{item} review" on {day} at {hour}:00 in the showroom. | invite.ics
    Reviews <reviews@trustedstars.example> | New review: five stars for the {item} | "Better than on the pictures, and the delivery people were kind." Answer within two days to show that you care.
    Shopkit <no-reply@shopkit.example> | Stock of the {item} is low | Only {percent} pieces of the {item} in {colour} are left. Reorder, or take it off the shop page.
    Backups <backups@harbourpine.example> | Backup finished with {count} warnings | The backup of {day} finished at {hour}:40. {count} files were open and are copied tomorrow.
  `,
  spam: `
    Prize Department <winner@luckydraw-now.example> | CONGRATULATIONS!!! You have been selected ({code}) | Dear Winner, you have won EUR {amount}. Send your bank details within 24 hours to claim your prize.
    SEO Expert <rank1@topsearchresults.example> | Your website is losing {percent}% of visitors | Hello owner, I found many errors on your website. We bring you to page one in 7 days, guaranteed.
    Billing Security <verify@account-check.example> | Action required: your account will be closed | We could not verify your last payment. Click below and confirm your password.
    Best Watches <deals@timepieces-outlet.example> | Luxury watches, {percent}% off, today only | Original quality, unbelievable prices. Free shipping to {city} and everywhere else.
    Loan Desk <offers@instant-loans.example> | EUR {amount} today, no questions | Your loan is approved. Pay the fee of EUR {percent} and the money is yours by {day}.
  `,
  draft: `
    Ruth Adeyemi <ruth.adeyemi@wharfsidehotel.example> | Thank you for the {day} visit | It was a pleasure to show you around. As promised, here are the prices for the {item}:
     | Offer for {city} | We can offer the {item} in {colour} for EUR {amount}. (check the lead time with Tom before sending)
     |  | Could we move our call to {day}? I am in the workshop until {hour}:00.
     | Spring newsletter, first lines | The first warm days bring new pieces: the {item} is back, and it has a smaller sister.
  `,
};

export const NOTICES: readonly Template[] = Object.entries(NOTICES_BY_TOPIC).flatMap(([topic, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [other = '', subject = '', text = '', file] = line.split('|').map((field) => field.trim());
      return { topic: topic as DemoTopic, other, subject, file: file ?? null, emails: [text] };
    }),
);
