/** Collections keep the name of the first schema, because pods of the former version work beside those of this version. */
const STORED_AS: Readonly<Record<string, string>> = {
  pendingCopies: 'owedCopies',
  quarantinedMessages: 'setAside',
  quarantinedPieces: 'setAsidePieces',
  sendPermits: 'sendTurns',
};

export const storedName = (name: string): string => STORED_AS[name] ?? name;
