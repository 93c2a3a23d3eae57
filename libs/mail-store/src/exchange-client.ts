import mongoose from 'mongoose';

export interface Exchange {
  /** With the new password, or whatever else has changed in it. */
  uri: string;
  options: mongoose.mongo.MongoClientOptions;
  /** Resolves once what was under way at the exchange has ended. */
  drained: () => Promise<void>;
}

/**
 * Gives a connection another client under its models: what begins from now on goes by the new one, what is under way ends on
 * the old one, which is closed after that. A client that cannot log in rejects, and the old one stays.
 */
export async function exchangeClient(
  connection: mongoose.Connection,
  { uri, options, drained }: Exchange,
): Promise<mongoose.mongo.MongoClient> {
  const old = connection.getClient();
  const next = new mongoose.mongo.MongoClient(uri, options);
  try {
    await next.connect();
    // Connecting alone is done before anybody has asked for a password.
    await next.db().command({ ping: 1 });
  } catch (error) {
    await next.close();
    throw error;
  }
  // Mongoose would take the end of the old client for the end of the connection.
  old.removeAllListeners();
  // It takes a client only while it has none, and between these two lines nobody can ask for anything.
  (connection as { readyState: mongoose.ConnectionStates }).readyState = mongoose.ConnectionStates.disconnected;
  connection.setClient(next as never);
  void drained().then(() => old.close().catch(() => undefined));
  return next;
}
