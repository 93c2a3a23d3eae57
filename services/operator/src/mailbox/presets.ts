/** Providers with the same servers for all users. */
export const PRESETS = ['gmail', 'microsoft365', 'icloud', 'yahoo', 'fastmail', 'gmx'] as const;
export type Preset = (typeof PRESETS)[number];

interface Provider {
  imap: string;
  smtp: string;
  /** Absent when the provider gives a mail program a password of its own. */
  tokenEndpoint?: string;
  /** The scope of a token, for endpoints that require it at each renewal. */
  scope?: string;
}

export const providers: Readonly<Record<Preset, Provider>> = {
  gmail: {
    imap: 'imap.gmail.com:993',
    smtp: 'smtp.gmail.com:465',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
  },
  microsoft365: {
    imap: 'outlook.office365.com:993',
    smtp: 'smtp.office365.com:587',
    tokenEndpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access',
  },
  icloud: { imap: 'imap.mail.me.com:993', smtp: 'smtp.mail.me.com:587' },
  yahoo: { imap: 'imap.mail.yahoo.com:993', smtp: 'smtp.mail.yahoo.com:465' },
  fastmail: { imap: 'imap.fastmail.com:993', smtp: 'smtp.fastmail.com:465' },
  gmx: { imap: 'imap.gmx.net:993', smtp: 'mail.gmx.net:465' },
};
