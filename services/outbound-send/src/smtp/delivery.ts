/** A recipient whom the server refused; `isFinal` where asking again is of no use. */
export interface RefusedRecipient {
  address: string;
  reason: string;
  isFinal: boolean;
}

/** The outcome of one delivery attempt. */
export type Delivery =
  | { outcome: 'accepted'; response: string; serverMessageId: string | null; refused: RefusedRecipient[] }
  /**
   * Surely nothing went out; `isFinal` where the same message would be refused again, `isServed` where the server was
   * there for the mailbox and only would not take this message.
   */
  | {
      outcome: 'refused';
      reason: string;
      isFinal: boolean;
      isServed: boolean;
      refused: RefusedRecipient[];
      /** Where no answer of the server says why: for the log. */
      cause?: Error;
    }
  /** The server had the whole message, but its answer never came. It may or may not have taken the message. */
  | { outcome: 'unknown'; reason: string };

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS, which is insisted on unless `isPlain`. */
  isSecure: boolean;
  /** No TLS at all: for a server on a loopback address only. */
  isPlain: boolean;
  /** The authority behind the certificate, where it is not a public one. */
  ca?: string | undefined;
  login?: SmtpLogin | undefined;
}

export type SmtpLogin =
  | { user: string; password: string }
  /** `another` renews a token that the server has not taken; nothing comes back where the mailbox has none any more. */
  | { user: string; accessToken: string; another?: (() => Promise<string | undefined>) | undefined };

export interface OutgoingMessage {
  /** The send that it is, which reports on it name. */
  operation: string;
  from: string;
  to: readonly string[];
  /** As it goes over the wire: without Bcc. */
  bytes: Buffer;
}

/** Each method is called before its step is taken. If the method throws, the step is not taken. */
export interface DeliverySteps {
  /** The server has refused these recipients by now, and accepts the message for the others. */
  dataStarted(refused: RefusedRecipient[]): Promise<void>;
  /** Records the step: from here on the server may have the message. */
  dataEnding(): Promise<void>;
}
