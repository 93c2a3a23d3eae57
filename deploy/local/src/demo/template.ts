/** Labels of the demo are put on emails by their topic. */
export type DemoTopic = 'work' | 'support' | 'newsletter' | 'bill' | 'alert' | 'spam' | 'draft';

/** One email, or one conversation. Each use fills its gaps, such as {item}, with other values. */
export interface Template {
  topic: DemoTopic;
  /** `Name <address>` of the other person; a customer where it is empty. */
  other: string;
  subject: string;
  file: string | null;
  /** The emails in their order. The other person writes the first one, except for a draft. */
  emails: readonly string[];
}
