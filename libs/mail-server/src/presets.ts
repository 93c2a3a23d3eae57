/** Providers with the same servers for all users. */
export const PRESETS = ['gmail', 'microsoft365', 'icloud', 'yahoo', 'fastmail', 'gmx'] as const;
export type Preset = (typeof PRESETS)[number];

interface Provider {
  name: string;
  imap: string;
  smtp: string;
  /** Absent when the provider gives a mail program a password of its own. */
  tokenEndpoint?: string;
  /** The scope of a token, for endpoints that require it at each renewal. */
  scope?: string;
}

type WithTokens = Readonly<Record<'gmail' | 'microsoft365', { readonly tokenEndpoint: string }>>;

export const providers: Readonly<Record<Preset, Provider>> & WithTokens = {
  gmail: {
    name: 'Gmail',
    imap: 'imap.gmail.com:993',
    smtp: 'smtp.gmail.com:465',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
  },
  microsoft365: {
    name: 'Microsoft 365',
    imap: 'outlook.office365.com:993',
    smtp: 'smtp.office365.com:587',
    tokenEndpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access',
  },
  icloud: { name: 'iCloud', imap: 'imap.mail.me.com:993', smtp: 'smtp.mail.me.com:587' },
  yahoo: { name: 'Yahoo', imap: 'imap.mail.yahoo.com:993', smtp: 'smtp.mail.yahoo.com:465' },
  fastmail: { name: 'Fastmail', imap: 'imap.fastmail.com:993', smtp: 'smtp.fastmail.com:465' },
  gmx: { name: 'GMX', imap: 'imap.gmx.net:993', smtp: 'mail.gmx.net:465' },
};
