-- Names the claim that holds a running evaluation (ADR 0015). A process that has lost a job to another one has another id.
ALTER TABLE evaluations ADD COLUMN lease_id uuid;
