-- The constants that `saero calibrate` fitted for an encoder, and how well they did on questions held out. One a model.
create table calibrations (encoder_id varchar, id varchar, constants varchar, figures varchar, made_at timestamptz);
