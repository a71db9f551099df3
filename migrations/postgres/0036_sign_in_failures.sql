-- Failed attempts to give the password of an account, newest last, as epoch milliseconds: from one address, and ('') from all addresses. Not logged: a commit costs
-- no fsync, and after a crash of the server the counts begin anew.
CREATE UNLOGGED TABLE sign_in_failures (
    account text NOT NULL,
    address text NOT NULL,
    failed_at bigint[] NOT NULL,
    PRIMARY KEY (account, address)
);
-- login_failures stays for replicas of the previous release; its rows are deleted as they expire.
