import type { AddressPart } from '@postroom/mail-store/documents/email';

export type Language = 'en' | 'de' | 'fr' | 'es' | 'sv' | 'ru' | 'ja';

export interface DemoMailbox {
  email: string;
  name: string;
  aliases: readonly string[];
}

/** A small workshop that builds and sells wooden furniture. Its domain is reserved, like all domains here. */
export const DEMO_MAILBOXES: readonly [DemoMailbox, DemoMailbox, DemoMailbox] = [
  { email: 'mara@harbourpine.example', name: 'Mara Lindqvist', aliases: ['mara.lindqvist@harbourpine.example'] },
  { email: 'support@harbourpine.example', name: 'Harbour & Pine Support', aliases: ['help@harbourpine.example'] },
  { email: 'accounts@harbourpine.example', name: 'Harbour & Pine Accounts', aliases: [] },
];

export const MARA = 0;
export const SUPPORT = 1;
export const ACCOUNTS = 2;

export interface Contact extends AddressPart {
  name: string;
  language: Language;
}

const contact = (name: string, email: string, language: Language = 'en'): Contact => ({ name, email, language });

export const COLLEAGUES: readonly Contact[] = [
  contact('Tom Okafor', 'tom@harbourpine.example'),
  contact('Priya Raman', 'priya@harbourpine.example'),
  contact('Jonas Weber', 'jonas@harbourpine.example'),
  contact('Ines Duarte', 'ines@harbourpine.example'),
];

export const PARTNERS: readonly Contact[] = [
  contact('Eleanor Voss', 'eleanor.voss@northtimber.example'),
  contact('Sam Whitfield', 'sam@brightcratelogistics.example'),
  contact('Hannah Brandt', 'h.brandt@moebelhaus-nord.example', 'de'),
  contact('Klaus Jäger', 'klaus.jaeger@saegewerk-tann.example', 'de'),
  contact('Camille Lefèvre', 'camille@atelier-lefevre.example', 'fr'),
  contact('Lucía Fernández', 'lucia@casaroble.example', 'es'),
  contact('Åsa Bergström', 'asa@ljusochlinne.example', 'sv'),
  contact('Дмитрий Орлов', 'd.orlov@dubimaster.example', 'ru'),
  contact('山田 花子', 'hanako.yamada@kinoie.example', 'ja'),
  contact('Owen Pritchard', 'owen@pritchardphoto.example'),
  contact('Ruth Adeyemi', 'ruth.adeyemi@wharfsidehotel.example'),
  contact('Marcus Bell', 'marcus@bellandfinch.example'),
];

const FIRST: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Alice',
    'Ben',
    'Chloe',
    'Daniel',
    'Erin',
    'Farid',
    'Grace',
    'Harry',
    'Isla',
    'Joseph',
    'Kate',
    'Liam',
    'Nadia',
    'Oscar',
  ],
  de: ['Anke', 'Björn', 'Jürgen', 'Käthe', 'Lena', 'Sören', 'Uwe', 'Wiebke'],
  fr: ['Amélie', 'Benoît', 'Chloé', 'Étienne', 'François', 'Margaux'],
  es: ['Álvaro', 'Begoña', 'Íñigo', 'Marta', 'Raúl', 'Sofía'],
  sv: ['Elin', 'Göran', 'Maja', 'Nils', 'Östen'],
  ru: ['Анна', 'Борис', 'Екатерина', 'Михаил', 'Ольга'],
  ja: ['太郎', '美咲', '健一', 'さくら'],
};

const LAST: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Abbott',
    'Carter',
    'Doyle',
    'Ellis',
    'Fraser',
    'Hughes',
    "O'Neill",
    'Patel',
    'Quinn',
    'Reeves',
    'Shaw',
    'Turner',
  ],
  de: ['Böhm', 'Fischer', 'Groß', 'Köhler', 'Müller', 'Schäfer'],
  fr: ['Dubois', 'Girard', 'Lemaître', 'Moreau', 'Noël'],
  es: ['García', 'Ibáñez', 'Muñoz', 'Ortega', 'Peña'],
  sv: ['Andersson', 'Ekström', 'Lindgren', 'Sjöberg'],
  ru: ['Белова', 'Захаров', 'Лебедев', 'Смирнова'],
  ja: ['佐藤', '鈴木', '田中', '高橋'],
};

const HOSTS = ['mailbox.example', 'postbote.example', 'inbox.example', 'courriel.example', 'fastmail.example'];

/** One of some thousand customers; the same number is always the same person. */
export function customer(number: number, language: Language): Contact {
  const first = FIRST[language][number % FIRST[language].length] ?? 'Alex';
  const last = LAST[language][Math.floor(number / 7) % LAST[language].length] ?? 'Reed';
  const local = language === 'ru' || language === 'ja' ? 'customer' : asciiOf(`${first}.${last}`);
  const name = language === 'ja' ? `${last} ${first}` : `${first} ${last}`;
  return { name, email: `${local}${number % 90}@${HOSTS[number % HOSTS.length]}`, language };
}

function asciiOf(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z.]/g, '')
    .toLowerCase();
}
